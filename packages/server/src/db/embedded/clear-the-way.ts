import { rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from './cluster.js'
import { postmasterFileIn, readPostmasterFile } from './postmaster-file.js'
import { pidIsTaken, postgresPidsIn, runsPostgresIn, signalProcess } from './processes.js'
import { socketIn } from './socket-folder.js'

/**
 * Ends the PostgreSQL that a killed Zoetrope left on the folder, and removes what would keep a new one from
 * starting.
 * To be called only by the one who has claimed the folder.
 */
export async function clearTheWay(cluster: Cluster, log: (line: string) => void): Promise<void> {
  const { folder } = cluster
  const left = await readPostmasterFile(folder)
  if (left && (await runsPostgresIn(left.pid, folder))) {
    log(`Stopping the PostgreSQL (pid ${left.pid}) that an earlier Zoetrope left running.`)
    await endOrphan(left.pid, folder)
  } else if (left && pidIsTaken(left.pid)) {
    // PostgreSQL would take any living process with this pid for its predecessor.
    await rm(postmasterFileIn(folder), { force: true })
  }

  const socket = socketIn(cluster.socketFolder)
  if (await answers(socket))
    throw new Error(
      `Another PostgreSQL that is no process of this machine or container is using the folder ${folder}. Stop it first, or set DATA_DIR to another folder.`,
    )
  await endSurvivors(folder)
  await rm(`${socket}.lock`, { force: true })
  await rm(socket, { force: true })
}

/** Politely at first: a fast shutdown, an immediate one, the end. */
async function endOrphan(pid: number, folder: string): Promise<void> {
  const steps = [
    ['SIGINT', 10_000],
    ['SIGQUIT', 3_000],
    ['SIGKILL', 3_000],
  ] as const
  for (const [signal, patience] of steps) {
    signalProcess(pid, signal)
    const deadline = Date.now() + patience
    while (Date.now() < deadline) {
      if (!(await runsPostgresIn(pid, folder))) return
      await delay(20)
    }
  }
  throw new Error(`The PostgreSQL (pid ${pid}) that is using the folder ${folder} cannot be stopped.`)
}

/** When PostgreSQL is killed, its processes finish what they are doing and keep a new one from starting. */
async function endSurvivors(folder: string): Promise<void> {
  for (const pid of await postgresPidsIn(folder)) signalProcess(pid, 'SIGQUIT')
}

/** A socket, unlike a pid, can be asked from another container that has the same folder. */
function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket)
    connection.once('connect', () => resolve(true)).once('error', () => resolve(false))
    connection.once('connect', () => connection.destroy())
  })
}
