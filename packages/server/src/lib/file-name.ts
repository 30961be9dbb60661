/** Control characters, lone surrogates, and characters that reverse the direction of the text around them. */
const unwanted = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu

const longestName = 255
const longestTitle = 500

/** A file's name on the caller's machine, for people to read. It is never used as a storage key. */
export function cleanFileName(name: string): string {
  // Forms encode a quotation mark in a file name this way.
  const written = name.replaceAll('%22', '"').replace(unwanted, ' ')
  return written.replace(/\s+/g, ' ').trim()
}

export const shortened = (name: string) => firstOf(name, longestName)

/** The name of a file without a name, and the title of the video made from it. */
export const untitled = 'Untitled'

/** The name without its extension. */
export function titleFrom(fileName: string): string {
  const stem = fileName.replace(/(?<=.)\.[a-z0-9]{1,10}$/i, '').trim()
  return firstOf(stem, longestTitle).trim() || untitled
}

const firstOf = (text: string, characters: number) => [...text].slice(0, characters).join('')
