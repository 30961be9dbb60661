import { readdir, readFile } from 'node:fs/promises'

/** Returns the living child processes of a process, with their command lines. */
export async function childrenOf(pid: number): Promise<{ pid: number; command: string }[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const found = await Promise.all(pids.map((each) => look(each, pid)))
  return found.filter((each) => each !== undefined)
}

async function look(pid: number, parent: number): Promise<{ pid: number; command: string } | undefined> {
  const [facts, command] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
  ])
  const [state, above] = facts.slice(facts.lastIndexOf(')') + 2).split(' ')
  if (Number(above) !== parent || state === 'Z') return undefined
  return { pid, command: command.replaceAll('\0', ' ').trim() }
}

/** Returns the workers that `zoetrope start` runs. */
export const workersOf = async (server: number): Promise<number[]> =>
  (await childrenOf(server)).filter(({ command }) => / worker$/.test(command)).map(({ pid }) => pid)
