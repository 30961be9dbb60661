/**
 * As much of curl as the documentation uses, for machines that have none. It prints the answer's body and appends the
 * status to the file STATUS_FILE. What it does not know it refuses, so that an example cannot pass unread.
 */
import { appendFileSync } from 'node:fs'

const headers = new Headers()
const fields = []
const form = new FormData()
let method
let body
let url
let globbing = true

const takers = {
  '-X': (value) => {
    method = value
  },
  '-H': (value) => headers.append(...value.split(/:\s*(.*)/s).slice(0, 2)),
  '-d': (value) => fields.push(value),
  '-F': (value) => form.append(...value.split(/=(.*)/s).slice(0, 2)),
  '--json': (value) => {
    headers.set('content-type', 'application/json')
    headers.set('accept', 'application/json')
    body = value
  },
}
const args = process.argv.slice(2)
while (args.length > 0) {
  const arg = args.shift()
  const take = takers[arg]
  if (take) take(args.shift())
  else if (arg === '-g') globbing = false
  else if (arg.startsWith('-') && arg !== '-s') throw new Error(`The stand-in for curl does not know ${arg}`)
  else if (arg !== '-s') url = arg
}
if (globbing && /[[\]{}]/.test(url)) throw new Error(`curl would refuse the brackets of ${url}`)
if (fields.length > 0) {
  body = fields.join('&')
  if (!headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded')
}
if ([...form].length > 0) body = form

const reply = await fetch(url, { method: method ?? (body === undefined ? 'GET' : 'POST'), headers, body })
appendFileSync(process.env.STATUS_FILE, `${reply.status}\n`)
process.stdout.write(await reply.text())
