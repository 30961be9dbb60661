import { readFile } from 'node:fs/promises'

/** Linux counts in hundredths of a second here, whatever its clock does. */
const ticksPerSecond = 100

/** How long a process has had a processor, with all its threads. Only Linux tells; elsewhere undefined. */
export async function cpuSeconds(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name of the program comes second, in parentheses, and may contain anything. Its own time and the system's are 14 and 15.
  const [user, system] =
    stat
      ?.slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number) ?? []
  return user === undefined || system === undefined ? undefined : (user + system) / ticksPerSecond
}
