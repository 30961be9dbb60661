import type { Readable } from 'node:stream'
import { limits } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { brokenOff } from '../errors.js'
import type { BodyMeter } from './body-meter.js'
import { declaredBytes, isLarge } from './body-size.js'
import { bodyTooLarge, noTurn, paceOf, turnToSend, watchBody } from './body-watch.js'
import { atOnce, type Pace } from './pace.js'
import { readGently } from './read-gently.js'

/** Refuses a body whose Content-Length is too large, before any of it is received. */
export function checkDeclared(request: FastifyRequest, most: number = limits.body_bytes.value): void {
  if (declaredBytes(request) > most) throw bodyTooLarge(most)
}

interface TakeOptions {
  readonly most?: number
  readonly meter?: BodyMeter
}

/** Receives and parses a body; a large one when its turn has come, and in slices. */
export async function takeInTurn<T>(
  request: FastifyRequest,
  payload: Readable,
  meter: BodyMeter,
  parse: (body: Buffer, pace: Pace) => Promise<T> | T,
): Promise<T> {
  const turn = isLarge(request) ? await turnToSend(request) : noTurn
  try {
    const body = await takeBody(request, payload, { meter })
    turn.keep()
    return await paceOf(request, atOnce)(() => parse(body, paceOf(request)))
  } finally {
    turn.leave()
  }
}

/** Receives the whole body of a request, within all limits. */
export async function takeBody(
  request: FastifyRequest,
  payload: Readable,
  { most = limits.body_bytes.value, meter = () => {} }: TakeOptions = {},
): Promise<Buffer> {
  checkDeclared(request, most)
  return new Promise((resolve, reject) => {
    const bytes = gatherPieces(declaredBytes(request))
    const detach = () => {
      stopReading()
      payload.off('end', finish).off('close', breakOff)
    }
    const refuse = (why: unknown) => {
      detach()
      watch.end()
      reject(why)
    }
    const watch = watchBody(request, most, refuse)
    const take = (chunk: Buffer) => {
      try {
        meter(chunk)
        bytes.add(chunk)
        watch.note(chunk.length)
      } catch (why) {
        refuse(why)
      }
    }
    const finish = () => {
      detach()
      watch.complete()
      resolve(bytes.whole())
    }
    const breakOff = () => refuse(brokenOff())
    const stopReading = readGently(payload, paceOf(request, atOnce), take)
    payload.on('end', finish).on('close', breakOff)
    // Without a listener, the error of a broken connection would end the process.
    payload.on('error', () => {})
    // The client may have left while it was looked up.
    if (payload.destroyed) breakOff()
  })
}

const blockBytes = 16_384

/** Gathers pieces. Small ones are copied together: kept as they are, pieces of one byte would hold many times their size. */
function gatherPieces(declared: number) {
  const pieces: Buffer[] = []
  let block = Buffer.alloc(0)
  let used = 0
  const closeBlock = () => {
    if (used > 0) pieces.push(block.subarray(0, used))
    block = block.subarray(used)
    used = 0
  }
  return {
    add(piece: Buffer) {
      if (piece.length >= blockBytes / 4) {
        closeBlock()
        pieces.push(piece)
        return
      }
      if (used + piece.length > block.length) {
        closeBlock()
        // Most bodies are so small that Node takes their block from a pool.
        block = Buffer.allocUnsafe(declared < blockBytes ? Math.max(declared, piece.length) : blockBytes)
      }
      used += piece.copy(block, used)
    },
    whole(): Buffer {
      closeBlock()
      return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
    },
  }
}
