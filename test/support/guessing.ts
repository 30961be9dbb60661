import { randomBytes, randomInt } from 'node:crypto'
import { request } from 'node:http'

/** What the attacker knows: everything but the secrets. */
export interface Target {
  readonly url: string
  readonly app_key: string
  readonly client_id: string
  readonly client_secret: string
  /** The viewer under attack, with the correct password. */
  readonly email: string
  readonly password: string
  /** A viewer who belongs to the attacker. */
  readonly attacker_id: string
}

export interface Reply {
  readonly status: number
  readonly body: string
  readonly ms: number
}

type Form = Readonly<Record<string, string>>

/** Sends a form from a local address. Every 127.x.y.z is one. */
export function sendFrom(from: string, url: string, form: Form, method = 'POST'): Promise<Reply> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const body = new URLSearchParams(form).toString()
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const outgoing = request(url, { method, localAddress: from, headers, agent: false }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, body: text, ms: performance.now() - begun }),
      )
    })
    outgoing.on('error', reject).end(body)
  })
}

/** The viewer's home address. No attacker uses it. */
export const home = '127.99.0.1'
const one = () => '127.1.1.1'
const many = (index: number) => `127.2.${(index >> 8) % 4}.${index % 250 || 251}`

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const randomPin = () => Array.from({ length: 7 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Signs in by password from an address. */
export const signInFrom = (from: string, target: Target, email: string, password: string): Promise<Reply> =>
  sendFrom(from, `${target.url}/oauth/token`, {
    grant_type: 'password',
    client_id: target.client_id,
    client_secret: target.client_secret,
    username: email,
    password,
  })

/** One way to guess. Sends a single guess from an address. */
type Guess = (target: Target, from: string, device: string) => Promise<Reply>

const guesses: Readonly<Record<string, Guess>> = {
  'the password of a viewer': (target, from) =>
    signInFrom(from, target, target.email, `guess ${randomBytes(4).toString('hex')}`),
  'the PIN of a device, at the token endpoint': (target, from, device) =>
    sendFrom(from, `${target.url}/oauth/token`, {
      grant_type: 'password',
      client_id: target.client_id,
      client_secret: target.client_secret,
      linked_device_id: device,
      pin: randomPin(),
    }),
  'a PIN that waits, with an app key': (target, from) =>
    sendFrom(
      from,
      `${target.url}/pin/link`,
      { app_key: target.app_key, consumer_id: target.attacker_id, pin: randomPin() },
      'PUT',
    ),
  'a PIN that waits, on the page /link': (target, from) =>
    sendFrom(from, `${target.url}/link`, { pin: randomPin() }),
}

export interface Campaign {
  readonly what: string
  readonly from: string
  readonly sent: number
  readonly succeeded: number
  readonly byStatus: Readonly<Record<string, number>>
  readonly seconds: number
  /** Whether the viewer could sign in from home halfway through and at the end. */
  readonly viewerStillIn: boolean
}

const atOnce = 24

/** Every way to guess, from one address and from a thousand. */
export const ways: readonly { readonly what: string; readonly from: string }[] = Object.keys(guesses).flatMap(
  (what) => ['one address', 'a thousand addresses'].map((from) => ({ what, from })),
)

/** Makes `times` guesses in one way. A device waits with a valid PIN throughout. */
export async function attack(
  target: Target,
  times: number,
  { what, from }: (typeof ways)[number],
): Promise<Campaign> {
  const guess = guesses[what] as Guess
  const address = from === 'one address' ? one : many
  const device = `tv-${randomBytes(8).toString('hex')}`
  await sendFrom(home, `${target.url}/pin/acquire`, { app_key: target.app_key, linked_device_id: device })
  return run(target, what, from, times, (index) => guess(target, address(index), device))
}

async function run(
  target: Target,
  what: string,
  from: string,
  times: number,
  send: (index: number) => Promise<Reply>,
): Promise<Campaign> {
  const begun = performance.now()
  const byStatus: Record<string, number> = {}
  let next = 0
  let viewerStillIn = true
  const attacker = async () => {
    while (next < times) {
      const index = next
      next += 1
      const { status } = await send(index)
      byStatus[status] = (byStatus[status] ?? 0) + 1
    }
  }
  const viewer = async () => {
    while (next < times / 2) await new Promise((resolve) => setTimeout(resolve, 5))
    viewerStillIn &&= (await signInFrom(home, target, target.email, target.password)).status === 200
  }
  await Promise.all([viewer(), ...Array.from({ length: atOnce }, attacker)])
  viewerStillIn &&= (await signInFrom(home, target, target.email, target.password)).status === 200
  return {
    what,
    from,
    sent: times,
    succeeded: Object.entries(byStatus)
      .filter(([status]) => status.startsWith('2') || status.startsWith('3'))
      .reduce((sum, [, count]) => sum + count, 0),
    byStatus,
    seconds: (performance.now() - begun) / 1000,
    viewerStillIn,
  }
}

export interface Comparison {
  readonly wrong: readonly number[]
  readonly unknown: readonly number[]
  readonly bodies: ReadonlySet<string>
}

/** Tries wrong passwords of existing and unknown viewers in turns, each from an address new to the server. */
export async function compare(target: Target, emails: readonly string[], times: number): Promise<Comparison> {
  const taken = { wrong: [] as number[], unknown: [] as number[] }
  const bodies = new Set<string>()
  for (let index = 0; index < times; index += 1)
    for (const kind of ['wrong', 'unknown'] as const) {
      const from = `127.${kind === 'wrong' ? 3 : 4}.${(index >> 8) % 250}.${index % 250 || 251}`
      const email =
        kind === 'wrong'
          ? (emails[index % emails.length] ?? '')
          : `nobody-${index % emails.length}@example.com`
      const reply = await signInFrom(from, target, email, `guess ${randomBytes(4).toString('hex')}`)
      taken[kind].push(reply.ms)
      bodies.add(`${reply.status} ${reply.body}`)
    }
  return { ...taken, bodies }
}

/** Returns the share of one distribution within the middle 90 % of the other: the smaller of both directions. */
export function overlap(one: readonly number[], other: readonly number[]): number {
  const within = (values: readonly number[], of: readonly number[]) => {
    const [low, high] = [quantile(of, 0.05), quantile(of, 0.95)]
    return values.filter((value) => value >= low && value <= high).length / values.length
  }
  return Math.min(within(one, other), within(other, one))
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN
}
