import { type Html, html } from '../lib/html.js'

/** Blocks of Markdown: fenced code, which may contain blank lines, or lines up to a blank one. */
const blocks = /```(\w*)\n([\s\S]*?)\n?```|((?:(?!\n\s*\n|```)[\s\S])+)/g
const marks = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\(https?:[^)\s]+\))/

/** The part of Markdown that the descriptions of the API use: headings, lists, tables, code, bold text and links. */
export const markdown = (text: string): Html[] =>
  [...text.matchAll(blocks)].flatMap(([, language, code, lines = '']) => {
    if (code !== undefined) return html`<pre><code class="${language || 'text'}">${code}</code></pre>\n`
    return lines.trim() === '' ? [] : block(lines.trim())
  })

function block(text: string): Html {
  const lines = text.split('\n')
  const heading = /^##+ (.+)$/.exec(text)?.[1]
  if (heading) return html`<h2 id="${slugOf(heading)}">${inline(heading)}</h2>\n`
  if (lines[0]?.startsWith('|')) return table(lines)
  if (lines[0]?.startsWith('- '))
    return html`<ul>${text.split(/\n(?=- )/).map((item) => html`<li>${inline(item.slice(2))}</li>`)}</ul>\n`
  return html`<p>${inline(text)}</p>\n`
}

function table([head = '', , ...rows]: readonly string[]): Html {
  return html`<div class="wide"><table>
<thead><tr>${cellsOf(head).map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cellsOf(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>\n`)}</tbody>
</table></div>\n`
}

const cellsOf = (row: string) =>
  row
    .trim()
    .slice(1, -1)
    .split(/ \| /)
    .map((cell) => cell.trim())

/** Text with code, bold words and links in it. */
export const inline = (text: string): Html[] =>
  text.split(marks).map((part) => {
    if (part.startsWith('`') && part.length > 1) return html`<code>${part.slice(1, -1)}</code>`
    if (part.startsWith('**') && part.length > 4) return html`<strong>${part.slice(2, -2)}</strong>`
    const [, name, address] = /^\[([^\]]+)\]\((https?:[^)\s]+)\)$/.exec(part) ?? []
    return name ? html`<a href="${address}" rel="noreferrer">${name}</a>` : html`${part}`
  })

/** A heading as part of an address. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
