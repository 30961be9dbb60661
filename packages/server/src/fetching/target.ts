import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { invalid } from '../errors.js'
import { FetchFailed, FetchRefused } from './fetch-error.js'
import { isPublicAddress, plainAddress } from './public-address.js'

export type Resolve = (host: string) => Promise<readonly string[]>

/** A checked address, and the machines that may be connected to for it. */
export interface FetchTarget {
  readonly url: URL
  readonly host: string
  readonly addresses: readonly string[]
}

/** Parses an address that may be fetched, before its name is resolved. */
export function readUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new FetchRefused('This is not an address on the internet.')
  const url = new URL(text, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new FetchRefused('Only addresses that begin with http: or https: can be fetched.')
  if (url.username !== '' || url.password !== '')
    throw new FetchRefused('The address has a user name or a password in it. Such addresses are not fetched.')
  const port = portOf(url)
  if (!isOpenPort(port))
    throw new FetchRefused(
      `Port ${port} is not allowed. Use 443, 80, or one above 1023 that no database or control service usually has.`,
    )
  url.hash = ''
  return url
}

/** Resolves the address once, and refuses it if any of its machines is not on the public internet. */
export async function findTarget(
  url: URL,
  resolve: Resolve,
  allow: (address: string) => boolean,
  setting = 'IMPORT_NETWORKS',
): Promise<FetchTarget> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolveName(host, resolve, setting)
  const isFine = (address: string) => isPublicAddress(address) || allow(address)
  // All of them: a name with both public and internal addresses was made to reach inside.
  if (!addresses.map(plainAddress).every(isFine))
    throw isIP(host) ? notPublic(host, setting) : unknownName(host, setting, `it has ${addresses.join(', ')}`)
  return { url, host, addresses }
}

const notPublic = (host: string, setting: string) =>
  new FetchRefused(
    `${host} is not on the public internet. Only what everybody can reach is called, and the networks that the operator names in ${setting}.`,
  )

/**
 * The same sentence for a name that does not exist and for one that leads inside, so that nobody can find out which internal names
 * exist. The cause, for the operator's log, says which it was.
 */
const unknownName = (host: string, setting: string, cause: unknown) =>
  new FetchRefused(
    `${host} is not on the public internet, or does not exist. Only what everybody can reach is called, and the networks that the operator names in ${setting}.`,
    { cause },
  )

export const lookUp: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

async function resolveName(host: string, resolve: Resolve, setting: string): Promise<readonly string[]> {
  const addresses = await resolve(host).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOTFOUND') throw unknownName(host, setting, cause)
    throw new FetchFailed(`The name ${host} could not be looked up (${cause.code ?? 'no reason given'}).`, {
      cause,
    })
  })
  if (addresses.length === 0) throw unknownName(host, setting, 'it has no addresses')
  return addresses
}

const portOf = ({ protocol, port }: URL) => Number(port || (protocol === 'https:' ? 443 : 80))

/**
 * Below 1024 only the web. Above, everything except the ports of databases, caches, queues and control
 * planes.
 */
const isOpenPort = (port: number) => port === 80 || port === 443 || (port >= 1024 && !innerPorts.has(port))

const innerPorts = new Set([
  1099, 1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2377, 2379, 2380, 3306, 3389, 3659,
  4045, 4190, 4369, 5060, 5061, 5432, 5433, 5555, 5671, 5672, 5900, 5901, 5984, 5985, 5986, 6000, 6379, 6380,
  6432, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 7000, 7001, 7199, 7474, 7687, 8009, 8086, 8125,
  8200, 8300, 8301, 8302, 8500, 8529, 8600, 8883, 9042, 9092, 9093, 9160, 9200, 9300, 10080, 10250, 10255,
  10257, 10259, 11211, 15672, 25672, 26257, 26379, 27017, 27018, 27019, 61613, 61616,
])

/**
 * Throws 422 for an address that could never be fetched: hosts that are an address, or this machine, must be public or allowed by
 * the setting. Host names are resolved only when it is fetched.
 */
export function checkFetched(
  address: unknown,
  allow: (address: string) => boolean,
  field = 'url',
  setting = 'IMPORT_NETWORKS',
): void {
  if (typeof address !== 'string') return
  try {
    checkLiteral(readUrl(address), allow, setting)
  } catch (error) {
    if (error instanceof FetchRefused) throw invalid(error.message, { [field]: [error.message] })
    throw error
  }
}

function checkLiteral({ hostname }: URL, allow: (address: string) => boolean, setting: string): void {
  const host = hostname.replace(/^\[|\]$/g, '')
  const isThisMachine = /(^|\.)localhost\.?$/.test(host)
  if (!isThisMachine && !isIP(host)) return
  const address = isThisMachine ? '127.0.0.1' : plainAddress(host)
  if (!isPublicAddress(address) && !allow(address)) throw notPublic(host, setting)
}
