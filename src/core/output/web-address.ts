// Addresses of pages that calendar apps and feed readers may open: others, such as javascript:, might run.

export const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
