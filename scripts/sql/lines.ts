export const longestLine = 118

/** A list with commas, in lines of at most 120 characters. */
export function inLines(items: readonly string[], indent: string): string {
  const lines: string[] = []
  for (const [place, item] of items.entries()) {
    const text = place < items.length - 1 ? `${item},` : item
    const last = lines.at(-1)
    if (last !== undefined && `${indent}${last} ${text}`.length <= longestLine)
      lines[lines.length - 1] = `${last} ${text}`
    else lines.push(text)
  }
  return lines.map((line) => indent + line).join('\n')
}

export const head = (about: string): string =>
  `-- ${about}\n-- Written by \`npm run generate -- sql\` from the contract. Do not edit it.\n\n`
