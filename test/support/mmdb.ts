import { bytesOfAddress } from '../../packages/server/src/lib/client-address.js'

type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value }
type Size = 24 | 28 | 32
type Tree = [Branch, Branch]
type Branch = Tree | number | undefined

export interface MmdbWish {
  readonly networks: readonly (readonly [network: string, value: Value])[]
  readonly size?: Size
  readonly version?: 4 | 6
}

/** Writes a minimal file in the MaxMind DB format for tests. */
export function writeMmdb({ networks, size = 28, version = 6 }: MmdbWish): Buffer {
  const tree: Tree = [undefined, undefined]
  const data: Buffer[] = []
  let length = 0
  for (const [network, value] of networks) {
    put(tree, bitsOf(network, version), length)
    const bytes = encode(value)
    data.push(bytes)
    length += bytes.length
  }
  const nodes = numbered(tree)
  const records = nodes.map((node) =>
    pair(node.map((branch) => written(branch, nodes)) as [number, number], size),
  )
  const description = encode({
    node_count: nodes.length,
    record_size: size,
    ip_version: version,
    database_type: 'Test-Country',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    description: { en: 'A few networks' },
  })
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  return Buffer.concat([...records, Buffer.alloc(16), ...data, marker, description])
}

/** Returns the bits of a network's prefix. In an IPv6 tree, IPv4 lies below 96 zero bits. */
function bitsOf(network: string, version: 4 | 6): number[] {
  const [address = '', given] = network.split('/')
  const bytes = bytesOfAddress(address)
  const isInside = version === 6 && bytes.length === 4
  const all = isInside ? [...Array<number>(12).fill(0), ...bytes] : bytes
  const length = (given === undefined ? bytes.length * 8 : Number(given)) + (isInside ? 96 : 0)
  return all.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (byte >> bit) & 1)).slice(0, length)
}

function put(tree: Tree, [bit = 0, ...rest]: readonly number[], at: number): void {
  if (rest.length === 0) {
    tree[bit] = at
    return
  }
  const next = tree[bit]
  const branch: Tree = Array.isArray(next) ? next : [undefined, undefined]
  tree[bit] = branch
  put(branch, rest, at)
}

function numbered(tree: Tree): Tree[] {
  const nodes: Tree[] = [tree]
  for (const node of nodes) for (const branch of node) if (Array.isArray(branch)) nodes.push(branch)
  return nodes
}

function written(branch: Branch, nodes: readonly Tree[]): number {
  if (branch === undefined) return nodes.length
  return Array.isArray(branch) ? nodes.indexOf(branch) : branch + nodes.length + 16
}

function pair([left, right]: [number, number], size: Size): Buffer {
  const bytes = Buffer.alloc(size / 4)
  if (size === 32) {
    bytes.writeUInt32BE(left, 0)
    bytes.writeUInt32BE(right, 4)
    return bytes
  }
  bytes.writeUIntBE(left & 0xffffff, 0, 3)
  bytes.writeUIntBE(right & 0xffffff, size === 24 ? 3 : 4, 3)
  if (size === 28) bytes[3] = ((left >> 24) << 4) | (right >> 24)
  return bytes
}

const head = (type: number, length: number): Buffer =>
  Buffer.concat([
    Buffer.from(type < 8 ? [(type << 5) | Math.min(length, 29)] : [Math.min(length, 29), type - 7]),
    ...(length < 29 ? [] : [Buffer.from([length - 29])]),
  ])

function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'boolean') return head(14, Number(value))
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([head(6, 4), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encode)])
  const entries = Object.entries(value)
  return Buffer.concat([head(7, entries.length), ...entries.flatMap((entry) => entry.map(encode))])
}

/** Networks reserved for documentation, each with a made-up location. */
export const exampleNetworks: MmdbWish['networks'] = [
  ['192.0.2.0/24', { country: { iso_code: 'DE' }, continent: { code: 'EU' } }],
  ['198.51.100.0/24', { country: { iso_code: 'US' }, continent: { code: 'NA' } }],
  ['203.0.113.0/24', { registered_country: { iso_code: 'FR' }, continent: { code: 'EU' } }],
  ['2001:db8::/32', { country: { iso_code: 'JP' }, continent: { code: 'AS' } }],
]
