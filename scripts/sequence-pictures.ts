/**
 * Draws the diagrams of the sign-in guides from the lines below: `node --import ./scripts/typescript.mjs
 * scripts/sequence-pictures.ts`.
 */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

interface Picture {
  readonly title: string
  readonly participants: readonly string[]
  /**
   * One line per step: `A > B: text | more` is a request, `A < B: text` a response to A, `A x B: text` a response to A
   * that gets lost, `A: text` happens within A, `loop: text` and `end` frame repeated steps.
   */
  readonly story: string
}

const pictures: Readonly<Record<string, Picture>> = {
  'flow-code': {
    title: 'Signing in on the sign-in page: authorization code with PKCE',
    participants: ['App', 'Browser', 'Zoetrope'],
    story: `
      App: makes state and code_verifier | and the verifier's SHA-256, code_challenge
      App > Browser: opens the sign-in page | client_id, redirect_uri, state, code_challenge
      Browser > Zoetrope: GET /oauth/authorize
      Browser < Zoetrope: the sign-in page
      Browser > Zoetrope: e-mail address and password
      Browser < Zoetrope: back to redirect_uri | code, state, iss
      App < Browser: code, state, iss
      App: compares state and iss
      App > Zoetrope: POST /oauth/token | grant_type=authorization_code, code, redirect_uri, code_verifier
      App < Zoetrope: access_token, refresh_token`,
  },
  'flow-device-grant': {
    title: 'Signing in on a TV: the device authorization grant',
    participants: ['TV', "Viewer's phone", 'Zoetrope'],
    story: `
      TV > Zoetrope: POST /oauth/device_authorization | client_id
      TV < Zoetrope: device_code, user_code | verification_uri, interval
      TV > Viewer's phone: shows the code and the address | or both as a QR code
      loop: every 5 seconds
      TV > Zoetrope: POST /oauth/token | device_code
      TV < Zoetrope: 400 authorization_pending
      end
      Viewer's phone > Zoetrope: opens /link | types the code, signs in
      Viewer's phone < Zoetrope: link this device? | which one, since when, from where
      Viewer's phone > Zoetrope: yes
      TV > Zoetrope: POST /oauth/token | device_code
      TV < Zoetrope: access_token, refresh_token`,
  },
  'flow-password': {
    title: 'Signing in with the password grant',
    participants: ['Viewer', 'App', 'Zoetrope'],
    story: `
      Viewer > App: e-mail address and password
      App > Zoetrope: POST /oauth/token | grant_type=password, username, password
      Zoetrope: checks the password | after the limits
      App < Zoetrope: access_token, refresh_token
      App: keeps the tokens | and forgets the password
      App > Zoetrope: GET /videos | Authorization: Bearer access_token
      App < Zoetrope: videos`,
  },
  'flow-refresh': {
    title: 'Renewing tokens, losing an answer, and a token that was stolen',
    participants: ['App', 'Zoetrope', 'Thief'],
    story: `
      App > Zoetrope: POST /oauth/token | grant_type=refresh_token, refresh_token A
      App x Zoetrope: pair B | the answer is lost
      App > Zoetrope: the same again, within 30 seconds | refresh_token A
      App < Zoetrope: the same pair B
      Thief > Zoetrope: later: refresh_token A | copied from somewhere
      Zoetrope: ends the session | A was used before
      Thief < Zoetrope: 401 invalid_grant
      App > Zoetrope: refresh_token B
      App < Zoetrope: 401 invalid_grant | the viewer signs in again`,
  },
  'flow-linked-device': {
    title: 'Linking a TV by PIN',
    participants: ['TV', 'Viewer', 'Zoetrope'],
    story: `
      TV: makes its linked_device_id | once: long, random, kept
      TV > Zoetrope: POST /pin/acquire | app_key, linked_device_id, type
      TV < Zoetrope: pin
      TV > Viewer: shows the PIN and the address
      loop: every 5 seconds
      TV > Zoetrope: GET /pin/status | app_key, linked_device_id
      TV < Zoetrope: linked: false
      end
      Viewer > Zoetrope: opens /link | types the PIN, signs in, says yes
      TV > Zoetrope: GET /pin/status
      TV < Zoetrope: linked: true
      TV > Zoetrope: POST /oauth/token | grant_type=password, linked_device_id, pin
      TV < Zoetrope: access_token, refresh_token`,
  },
}

type Kind = 'ask' | 'answer' | 'lost' | 'within' | 'loop' | 'end'
interface Step {
  readonly kind: Kind
  /** The start of an arrow, or the participant in which the step happens. */
  readonly from: string
  readonly to: string
  readonly lines: readonly string[]
}

const signs: Readonly<Record<string, Kind>> = { '>': 'ask', '<': 'answer', x: 'lost' }

function readStep(line: string): Step {
  if (line === 'end') return { kind: 'end', from: '', to: '', lines: [] }
  const [head = '', text = ''] = line.split(/: (.*)/)
  const lines = text.split(' | ')
  if (head === 'loop') return { kind: 'loop', from: '', to: '', lines }
  const [, left = head, sign, right = head] = / ([><x]) /.test(head)
    ? (/^(.*) ([><x]) (.*)$/.exec(head) ?? [])
    : []
  const kind = sign ? (signs[sign] ?? 'ask') : 'within'
  return kind === 'ask' || kind === 'within'
    ? { kind, from: left, to: right, lines }
    : { kind, from: right, to: left, lines }
}

const columnGap = 330
const margin = 130
const headHeight = 44
const lineHeight = 18
const colors = {
  paper: '#ffffff',
  edge: '#c9ced8',
  head: '#2855c5',
  ink: '#1a1d23',
  quiet: '#565d6a',
  answer: '#0a6b4b',
  lost: '#b3261e',
  note: '#fdf8ea',
  noteEdge: '#cfa640',
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Draws lines of text centred on x, the first one bold. The last line ends at y. */
const texts = (lines: readonly string[], x: number, y: number, color: string) =>
  lines
    .map((line, index) => {
      const style = index === 0 ? `font-weight="600" fill="${color}"` : `fill="${colors.quiet}"`
      const base = y - (lines.length - 1 - index) * lineHeight
      return `<text class="label" x="${x}" y="${base}" text-anchor="middle" ${style}>${escaped(line)}</text>`
    })
    .join('\n')

const arrowColors: Partial<Readonly<Record<Kind, string>>> = {
  ask: colors.head,
  answer: colors.answer,
  lost: colors.lost,
}

function arrow({ kind, lines }: Step, from: number, to: number, y: number): string {
  const color = arrowColors[kind] ?? colors.ink
  const side = to > from ? -1 : 1
  const end = kind === 'lost' ? to + side * 90 : to + side * 7
  const dashes = kind === 'ask' ? '' : ' stroke-dasharray="6 5"'
  const tip =
    kind === 'lost'
      ? `<path d="M${end - 7} ${y - 7}l14 14m0 -14l-14 14" stroke="${color}" stroke-width="2.5"/>`
      : `<path d="M${to} ${y}l${side * 11} -6v12z" fill="${color}"/>`
  return `<path d="M${from} ${y}H${end}" stroke="${color}" stroke-width="2"${dashes}/>
${tip}
${texts(lines, (from + to) / 2, y - 9, color)}`
}

function note({ lines }: Step, x: number, y: number): string {
  const width = Math.max(...lines.map((line) => line.length)) * 8.2 + 28
  const left = Math.max(8, x - width / 2)
  const height = lines.length * lineHeight + 14
  return `<g class="note"><rect x="${left}" y="${y - height}" width="${width}" height="${height}" rx="6" fill="${colors.note}" stroke="${colors.noteEdge}"/>
${texts(lines, left + width / 2, y - 12, colors.ink)}</g>`
}

/** The height of a step: a fixed part, plus its lines. */
const room: Readonly<Record<Kind, number>> = { ask: 28, answer: 28, lost: 28, within: 38, loop: 16, end: 18 }
const heightOf = ({ kind, lines }: Step) => room[kind] + lines.length * lineHeight

function draw({ title, participants, story }: Picture): string {
  const steps = story
    .trim()
    .split('\n')
    .map((line) => readStep(line.trim()))
  const xOf = (name: string) => {
    if (!participants.includes(name)) throw new Error(`There is no participant ${name} in "${title}".`)
    return margin + participants.indexOf(name) * columnGap
  }
  const width = 2 * margin + (participants.length - 1) * columnGap
  const parts: string[] = []
  let y = 24 + headHeight + 10
  let loopTop = 0
  for (const step of steps) {
    y += heightOf(step)
    if (step.kind === 'loop') {
      loopTop = y - 20
      parts.push(
        `<text class="label" x="32" y="${y - 2}" font-weight="600" fill="${colors.quiet}">${escaped(step.lines.join(' '))}</text>`,
      )
    } else if (step.kind === 'end')
      parts.push(
        `<rect x="20" y="${loopTop}" width="${width - 40}" height="${y - loopTop}" rx="8" fill="none" stroke="${colors.quiet}" stroke-dasharray="2 4"/>`,
      )
    else if (step.kind === 'within') parts.push(note(step, xOf(step.from), y))
    else parts.push(arrow(step, xOf(step.from), xOf(step.to), y))
  }
  const height = y + 34
  const heads = participants.map((participant) => {
    const x = xOf(participant)
    return `<path d="M${x} ${24 + headHeight}V${height - 16}" stroke="${colors.edge}" stroke-width="2"/>
<rect x="${x - 85}" y="24" width="170" height="${headHeight}" rx="8" fill="${colors.head}"/>
<text x="${x}" y="51" text-anchor="middle" font-weight="600" font-size="16" fill="#ffffff">${escaped(participant)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title about" fill="none" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', Arial, sans-serif" font-size="14">
<title id="title">${escaped(title)}</title>
<desc id="about">${escaped(steps.map(told).filter(Boolean).join(' '))}</desc>
<style>.label{paint-order:stroke;stroke:${colors.paper};stroke-width:5px;stroke-linejoin:round}.note .label{stroke:none}</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="12" fill="${colors.paper}" stroke="${colors.edge}"/>
${heads.join('\n')}
${parts.join('\n')}
</svg>
`
}

/** Describes a step in words, for screen readers. */
function told({ kind, from, to, lines }: Step): string {
  const text = lines.join(', ')
  const sentence = {
    ask: `${from} to ${to}: ${text}.`,
    answer: `${from} answers ${to}: ${text}.`,
    lost: `${from} answers ${to}: ${text}.`,
    within: `${from} ${text}.`,
    loop: `Repeated ${text}:`,
    end: 'Until then.',
  }
  return sentence[kind]
}

for (const [name, picture] of Object.entries(pictures)) {
  const file = fileURLToPath(new URL(`../docs/images/${name}.svg`, import.meta.url))
  await writeFile(file, draw(picture))
}
