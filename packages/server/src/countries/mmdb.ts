import { isIPv4, isIPv6 } from 'node:net'
import { bytesOfAddress } from '../lib/client-address.js'
import { createMmdbDecoder } from './mmdb-data.js'

/** A MaxMind DB file: the record of a network address. */
export interface Mmdb {
  /** The database type in its metadata. */
  readonly kind: string
  find(address: string): unknown
}

const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
/** The metadata is within this many bytes of the end. */
const mostDescription = 131_072
/** Zeros between the tree and the data. */
const separator = 16

interface Description {
  readonly node_count: number
  readonly record_size: number
  readonly ip_version: number
  readonly database_type: string
}

/**
 * Reads a file in version 2 of the format: a binary tree over the bits of addresses, whose leaves point to
 * the data after it. Throws if it is not such a file.
 */
export function openMmdb(file: Buffer): Mmdb {
  const { node_count, record_size, ip_version, database_type } = describe(file)
  const nodeBytes = record_size / 4
  const treeBytes = node_count * nodeBytes
  if (treeBytes + separator > file.length) throw new Error('it ends before its tree does')
  const decode = createMmdbDecoder(file.subarray(treeBytes + separator))

  const child = (node: number, bit: number): number => {
    const at = node * nodeBytes
    if (record_size === 24) return file.readUIntBE(at + bit * 3, 3)
    if (record_size === 32) return file.readUInt32BE(at + bit * 4)
    // The middle byte has the upper four bits of both.
    const middle = file[at + 3] ?? 0
    const upper = bit === 0 ? middle >> 4 : middle & 15
    return upper * 0x1000000 + file.readUIntBE(at + bit * 4, 3)
  }

  return {
    kind: database_type,
    find(address) {
      const bytes = bytesIn(address, ip_version)
      let node = 0
      for (let bit = 0; bytes && bit < bytes.length * 8 && node < node_count; bit += 1)
        node = child(node, ((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1)
      // A value equal to the number of nodes means no data; a larger one is an offset in the data.
      return bytes && node > node_count ? decode(node - node_count - separator) : undefined
    },
  }
}

/** An IPv6 tree has IPv4 below ninety-six zeros. */
function bytesIn(address: string, version: number): readonly number[] | undefined {
  if (!isIPv4(address) && !isIPv6(address)) return undefined
  const bytes = bytesOfAddress(address)
  if (bytes.length === 16) return version === 6 ? bytes : undefined
  return version === 6 ? [...Array<number>(12).fill(0), ...bytes] : bytes
}

function describe(file: Buffer): Description {
  const at = file.lastIndexOf(marker)
  if (at < 0 || at < file.length - mostDescription)
    throw new Error('it is not a file in the MaxMind DB format')
  const found = createMmdbDecoder(file.subarray(at + marker.length))(0) as Partial<Description> | undefined
  const { node_count = 0, record_size = 0, ip_version = 0, database_type = '' } = found ?? {}
  if (![24, 28, 32].includes(record_size) || ![4, 6].includes(ip_version) || !(node_count > 0))
    throw new Error('it does not say how its tree is laid out')
  return { node_count, record_size, ip_version, database_type }
}
