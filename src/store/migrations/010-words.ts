// On SQLite, the words of titles and tags also stand one by one, in the order of the items: most searches for a single word
// are answered from there, and need not walk through everything that the word is found in. Frozen.
import type { Migration } from "../migrate.ts";

export const wordTable: Migration = {
  name: "010-words",
  // Each word once for an item, with the first place that it stands in. `_` parts the passages of a place.
  sqlite: `
    create table news_word (
      word text not null,
      place integer not null,
      key integer not null,
      primary key (word, place, key)
    ) strict, without rowid;
    create virtual table temp.news_instance using fts5vocab (main, news_search, instance);
    insert into news_word
      select term, min(case col when 'title' then 0 else 1 end), doc from temp.news_instance
      where col <> 'body' and term <> '_' and doc in (select key from news)
      group by term, doc;
    drop table temp.news_instance;
  `,
  // Its own index of words is read in another way.
  postgres: "",
};
