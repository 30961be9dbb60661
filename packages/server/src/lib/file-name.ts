/** Control characters, halves of pairs, and those that turn the direction of the text around them. */
const unwanted = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu

const longestName = 255
const longestTitle = 500

/** A file's name as the caller's machine knew it, for people to read. Nothing is ever stored under it. */
export function cleanFileName(name: string): string {
  // Forms write a quotation mark in a file's name like this.
  const written = name.replaceAll('%22', '"').replace(unwanted, ' ')
  return written.replace(/\s+/g, ' ').trim()
}

export const shortened = (name: string) => firstOf(name, longestName)

/** What a file is called whose name nobody gave, and the video made of it. */
export const untitled = 'Untitled'

/** The name without its ending. */
export function titleFrom(fileName: string): string {
  const stem = fileName.replace(/(?<=.)\.[a-z0-9]{1,10}$/i, '').trim()
  return firstOf(stem, longestTitle).trim() || untitled
}

const firstOf = (text: string, characters: number) => [...text].slice(0, characters).join('')
