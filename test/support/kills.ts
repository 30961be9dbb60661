import { setTimeout as delay } from 'node:timers/promises'
import { patienceMs } from './patience.js'
import { childrenOf, workersOf } from './processes.js'
import { postmasterPid, type RunningServer, startServer } from './server-process.js'

export type ServerSettings = Parameters<typeof startServer>[0] & { readonly DATA_DIR: string }
export type Victim = 'server' | 'worker' | 'ffmpeg' | 'PostgreSQL'

/** Returns the processes of ours that this kill can hit now. */
async function pidsOf(victim: Victim, server: RunningServer, env: ServerSettings): Promise<number[]> {
  if (victim === 'server') return [server.pid]
  if (victim === 'PostgreSQL') return [await postmasterPid(env).catch(() => 0)].filter((pid) => pid > 0)
  const workers = await workersOf(server.pid)
  if (victim === 'worker') return workers
  const children = await Promise.all([server.pid, ...workers].map(childrenOf))
  return children.flat().flatMap(({ pid, command }) => (/\bffmpeg /.test(command) ? [pid] : []))
}

/** Kills one of them. Returns whether there was one, and the server that runs afterwards. */
export async function kill(victim: Victim, server: RunningServer, env: ServerSettings, random: () => number) {
  let pids = await pidsOf(victim, server, env)
  for (let looks = 0; pids.length === 0 && looks < 50; looks += 1) {
    await delay(50)
    pids = await pidsOf(victim, server, env)
  }
  const pid = pids[Math.floor(random() * pids.length)]
  if (pid === undefined) return { isDone: false, server }
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    return { isDone: false, server }
  }
  if (victim !== 'server') return { isDone: true, server }
  await server.ended
  return { isDone: true, server: await startServer(env) }
}

/** A server that exits without being killed has a bug. Its last output says which. */
export async function checkAlive({ ended }: RunningServer): Promise<void> {
  const ending = await Promise.race([ended, delay(0, undefined)])
  if (!ending) return
  const { code, signal, stdout, stderr } = ending
  throw new Error(`The server has ended (${code ?? signal}): ${stderr.slice(-3000)}${stdout.slice(-3000)}`)
}

/** A server that never becomes ready between two kills proves nothing. */
export async function untilReady(url: string): Promise<void> {
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const begun = Date.now(); Date.now() - begun < patienceMs && !(await isReady()); ) await delay(50)
}
