// List of names and values.

export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
