import { encode } from 'uqr'

/** The modules of a QR code with this text, row by row; true is dark. Larger codes are hard to read from a screen. */
export function qrCode(text: string): readonly (readonly boolean[])[] {
  return encode(text, { ecc: 'M', border: 0, maxVersion: 20 }).data
}
