import { readdir, readFile } from 'node:fs/promises'

/**
 * Whether a process waited for a processor longer than it had one. Only Linux tells; elsewhere the answer is no. Threads that have
 * ended are not counted.
 */
export async function waitedLonger(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const times = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '')),
  )
  let [ran, waited] = [0, 0]
  // Nanoseconds on a processor, nanoseconds ready to run without one, and the number of turns.
  for (const [running = 0, waiting = 0] of times.map((time) => time.split(' ').map(Number))) {
    ran += running
    waited += waiting
  }
  return waited > ran
}
