import { MessageChannel } from 'node:worker_threads'

const { port1: nowhere, port2: closed } = new MessageChannel()
closed.close()

/**
 * Yields the chunks of a body. As soon as the next one is requested, the memory of the last is given back: whoever keeps a chunk
 * finds it empty. Otherwise every chunk waits for the garbage collector, which takes more time than everything else that is done
 * with it (bench/README.md).
 */
export async function* givingBack(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    yield chunk
    const { buffer } = chunk
    // Not if it is a part of something larger.
    if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.byteLength)
      nowhere.postMessage(undefined, [buffer])
  }
}
