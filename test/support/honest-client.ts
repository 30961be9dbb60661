import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** A client that uses the server as intended. */
export interface Honest {
  /** Sends one request after the other until the promise settles. Returns the latencies and the failures. */
  until(over: Promise<unknown>): Promise<{ latencies: number[]; failures: string[] }>
}

type Call = readonly [method: string, path: string, body?: object]

const pauseMs = 5

/** Creates some videos, then lists, reads and changes them. */
export async function createHonest(url: string, key: string): Promise<Honest> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const call = ([method, path, body]: Call): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const headers = { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) }
      const outgoing = request(url + path, { method, headers, agent }, (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
        })
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text })).on('error', reject)
      })
      outgoing.on('error', reject).end(body ? JSON.stringify(body) : undefined)
    })

  const ids: string[] = []
  for (let index = 0; index < 20; index += 1) {
    const { text } = await call([
      'POST',
      '/videos',
      { title: `Video ${index}`, description: 'x'.repeat(500) },
    ])
    ids.push((JSON.parse(text) as { response: { _id: string } }).response._id)
  }
  let turn = 0
  const nextCall = (): Call => {
    turn += 1
    const id = ids[turn % ids.length]
    const calls: Call[] = [
      ['GET', '/videos?per_page=10'],
      ['GET', `/videos/${id}`],
      ['PUT', `/videos/${id}`, { title: `Title ${turn}` }],
      ['GET', `/videos?q=title&page=0&sort=created_at`],
      ['GET', `/videos/${id}/entitled`],
    ]
    return calls[turn % calls.length] as Call
  }
  return {
    async until(over) {
      let isOver = false
      void over.finally(() => {
        isOver = true
      })
      const latencies: number[] = []
      const failures: string[] = []
      while (!isOver) {
        const next = nextCall()
        const begun = performance.now()
        const outcome = await call(next).then(
          ({ status }) => status,
          (error: Error) => error.message,
        )
        latencies.push(performance.now() - begun)
        if (outcome !== 200) failures.push(`${next[0]} ${next[1].split('?')[0]}: ${outcome}`)
        await delay(pauseMs)
      }
      return { latencies, failures }
    },
  }
}
