import { execFileSync } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of this size, such as `4m`, if this user may create one. */
export async function smallDisk(
  size: string,
): Promise<{ folder: string; free(): Promise<void> } | undefined> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'zoetrope-disk-')))
  try {
    execFileSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch {
    await rm(folder, { recursive: true })
    return undefined
  }
  const free = async () => {
    execFileSync('/usr/bin/umount', [folder])
    await rm(folder, { recursive: true })
  }
  return { folder, free }
}
