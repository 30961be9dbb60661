import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A dashboard file, plain and compressed. */
export interface DashboardAsset {
  readonly type: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly br: Buffer
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const brotliQuality = 9
const longestKept = 500

/** Reads and compresses each dashboard file once. File names contain a content hash, so files never change. */
export function openAssets(folder: string): (name: string) => Promise<DashboardAsset | undefined> {
  const kept = new Map<string, Promise<DashboardAsset | undefined>>()
  return (name) => {
    const known = kept.get(name)
    if (known) return known
    const reading = readAsset(folder, name)
    if (kept.size < longestKept) kept.set(name, reading)
    // Missing files are not cached: a build may add them.
    void reading.then(
      (asset) => asset ?? kept.delete(name),
      () => kept.delete(name),
    )
    return reading
  }
}

async function readAsset(folder: string, name: string): Promise<DashboardAsset | undefined> {
  const type = types[extname(name)]
  if (!type || !/^[\w-]+\.\w+$/.test(name)) return undefined
  const plain = await readFile(join(folder, name)).catch(() => undefined)
  if (!plain) return undefined
  const [zipped, br] = await Promise.all([
    promisify(gzip)(plain),
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  ])
  return { type, plain, gzip: zipped, br }
}
