import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A source file of this repository. Paths are relative to its root, with forward slashes. */
export interface Source {
  readonly path: string
  readonly text: string
}

export interface Arrow {
  readonly from: string
  /** A path for files of this repository, otherwise the imported name: `fastify`, `node:fs`. */
  readonly to: string
}

export async function readSources(...folders: readonly string[]): Promise<Source[]> {
  const names = await Promise.all(folders.map(filesIn))
  return Promise.all(
    names
      .flat()
      .sort()
      .map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })),
  )
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true })
  return entries
    .filter((name) => /\.tsx?$/.test(name) && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => `${folder}/${name}`)
}

/** Blanks out comments and keeps line numbers. Sufficient for formatted sources. */
export function withoutComments(text: string): string {
  const parts =
    /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm
  return text.replace(parts, (part) => (/^\/[/*]/.test(part) ? part.replace(/[^\n]/g, '') : part))
}

/** Counts the lines that contain code. */
export const codeLines = (text: string): number =>
  withoutComments(text)
    .split('\n')
    .filter((line) => line.trim() !== '').length

/** Returns everything a file imports or re-exports, including types. */
export function arrowsOf({ path, text }: Source): Arrow[] {
  const imports =
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
  return [...withoutComments(text).matchAll(imports)].map(([, from, bare, dynamic]) => ({
    from: path,
    to: target(path, from ?? bare ?? dynamic ?? ''),
  }))
}

const target = (path: string, specifier: string): string =>
  specifier.startsWith('.') ? normalize(join(dirname(path), specifier)).replace(/\.js$/, '.ts') : specifier

/** Returns the files of the first cycle found, or an empty list if there is none. */
export function cycleAmong(arrows: readonly Arrow[]): string[] {
  const next = new Map<string, Arrow[]>()
  for (const arrow of arrows) next.set(arrow.from, [...(next.get(arrow.from) ?? []), arrow])
  const done = new Set<string>()
  const walk = (path: string, way: readonly string[]): string[] => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path]
    if (done.has(path)) return []
    for (const { to } of next.get(path) ?? []) {
      const cycle = walk(to, [...way, path])
      if (cycle.length > 0) return cycle
    }
    done.add(path)
    return []
  }
  for (const path of next.keys()) {
    const cycle = walk(path, [])
    if (cycle.length > 0) return cycle
  }
  return []
}
