import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '../errors.js'

/** The files that each page needs besides those of the first load, by path. `$id` in a path matches anything. */
type Pages = Readonly<Record<string, readonly string[]>>

/** Returns the HTML for a URL, with preload links for the files of that page. */
export async function readPage(folder: string, url: string, nonce: string): Promise<string> {
  const [page, pages] = await Promise.all([
    readFile(join(folder, 'index.html'), 'utf8'),
    readFile(join(folder, 'pages.json'), 'utf8'),
  ]).catch((cause) => {
    throw new ApiError(503, 'The dashboard has not been built. `npm run build -- dashboard` builds it.', {
      cause,
    })
  })
  const links = filesFor(url, JSON.parse(pages) as Pages).map(
    (name) => `<link rel="modulepreload" href="/dashboard/assets/${name}">`,
  )
  return page.replace('{nonce}', nonce).replace('<!--{preload}-->', links.join('\n'))
}

function filesFor(url: string, pages: Pages): readonly string[] {
  const path = url.replace(/[?#].*/, '').replace(/^\/dashboard(\/c\/[0-9a-f]{24}(?=\/|$))?/, '')
  const asked = partsOf(path)
  const found = Object.keys(pages).find((path) => {
    const parts = partsOf(path)
    return (
      parts.length === asked.length &&
      parts.every((part, index) => part.startsWith('$') || part === asked[index])
    )
  })
  return pages[found ?? ''] ?? []
}

const partsOf = (path: string) => path.split('/').filter((part) => part !== '')
