import { isIPv6 } from 'node:net'

/**
 * The address an attempt is counted under. A home or a rented server owns a whole /64 of IPv6, so a /64
 * counts as one address. IPv4 inside IPv6 counts as IPv4.
 */
export const addressKey = (ip: string): string => prefixOf(ip, 4)

/** The wider network of an address: a /48 for IPv6, because one site may own that much; IPv4 unchanged. */
export const siteKey = (ip: string): string => prefixOf(ip, 3)

/** The bytes of an address: four for IPv4 (also inside IPv6), sixteen for IPv6. */
export function bytesOfAddress(ip: string): number[] {
  if (!isIPv6(ip)) return ip.split('.').map(Number)
  const groups = groupsOf(ip)
  return (isMapped(groups) ? groups.slice(6) : groups).flatMap(groupBytes)
}

const isMapped = (groups: readonly number[]) =>
  groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff

function prefixOf(ip: string, length: number): string {
  if (!isIPv6(ip)) return ip
  const groups = groupsOf(ip)
  if (isMapped(groups)) return groups.slice(6).flatMap(groupBytes).join('.')
  const spelled = groups.slice(0, length).map((group) => group.toString(16))
  return `${spelled.join(':')}::/${length * 16}`
}

const groupBytes = (group: number) => [group >> 8, group & 255]

/** The eight groups of an IPv6 address in any spelling. */
function groupsOf(ip: string): number[] {
  const address = ip.replace(/%.*$/, '').replace(/\d+\.\d+\.\d+\.\d+$/, spellAsGroups)
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16))
}

function spellAsGroups(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}
