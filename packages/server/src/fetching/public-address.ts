import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Everything IANA does not list as globally reachable, and the metadata addresses of clouds. */
const closedIPv4 = blocks('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's internal services listen here, on an address that looks public.
  '168.63.129.16/32',
])

const openIPv6 = blocks('ipv6', ['2000::/3'])

/** Including tunnels (Teredo, 6to4), documentation and benchmarking. */
const closedIPv6 = blocks('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** IPv4 embedded in IPv6: mapped, compatible, and translated (NAT64, which IPv6-only networks need). */
const carriers = blocks('ipv6', ['::ffff:0:0/96', '::/96', '64:ff9b::/96'])

function blocks(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** The address without a zone, and IPv4 inside IPv6 as IPv4. */
export function plainAddress(address: string): string {
  const plain = address.replace(/%.*$/, '')
  if (!isIPv6(plain) || !carriers.check(plain, 'ipv6')) return plain
  return lastFourBytes(plain)
}

/** Whether the address is globally reachable. Takes the result of `plainAddress`. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closedIPv4.check(address, 'ipv4')
  return isIPv6(address) && openIPv6.check(address, 'ipv6') && !closedIPv6.check(address, 'ipv6')
}

function lastFourBytes(address: string): string {
  // URL normalises every address to groups only.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
