import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A page of the documentation. Its path is relative to the root of the repository. */
export interface Page {
  readonly path: string
  readonly text: string
}

export const readPage = async (path: string): Promise<Page> => ({
  path,
  text: await readFile(join(root, path), 'utf8'),
})

/** Reads every Markdown file of the repository. */
export async function readPages(): Promise<Page[]> {
  const own = await readdir(root)
  const folders = ['docs', 'bench', 'packages', 'test', 'scripts']
  const below = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((name) => `${folder}/${name}`),
    ),
  )
  const paths = [...own, ...below.flat()].filter(
    (path) => path.endsWith('.md') && !/(^|\/)(node_modules|dist)\//.test(path),
  )
  return Promise.all(paths.sort().map(readPage))
}

/** Returns the code blocks of one language, in order. */
export const blocksOf = ({ text }: Page, language: string): string[] =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, code]) =>
    name === language && code !== undefined ? [code] : [],
  )

const withoutCode = (text: string) => text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '')

/** Returns the targets of links and images, as written. */
export const linksOf = ({ text }: Page): string[] =>
  [...withoutCode(text).matchAll(/!?\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '')

/** Returns the anchors of a page's headings, as GitHub generates them. */
export const anchorsOf = ({ text }: Page): string[] =>
  [...text.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
