import { BlockList, isIP } from 'node:net'

/** Networks that settings may refer to by name. */
const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Returns a test for whether an address equals an entry or lies in one of these ranges or named networks. */
export function createNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of networks.flatMap((network) => namedNetworks[network] ?? [network])) {
    const [address = '', bits] = range.split('/')
    const family = familyOf(address)
    list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address))
}

/** Whether the text is an IP address or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const longest = { 4: 32, 6: 128 }[isIP(address)]
  if (longest === undefined || rest.length > 0 || address.includes('%')) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest)
}

/** IPv4 inside IPv6 is IPv4. What a proxy wrote need not be an address. */
export function plainAddress(ip: string): string {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  return isIP(address) === 0 ? '' : address
}

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')
