/** Values of parameters, which arrive as text. Undefined if the text is none. */

export function readFlag(text: string): boolean | undefined {
  if (/^(true|1|yes|on)$/i.test(text)) return true
  if (/^(false|0|no|off)$/i.test(text)) return false
  return undefined
}

export function readNumber(text: string): number | undefined {
  const value = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?\s*$/i.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}
