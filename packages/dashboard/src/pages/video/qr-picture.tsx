import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { qrCode } from './qr-code.js'
import { strings } from './strings.js'

/** Modules of light margin, as readers require. */
const margin = 4

/** The QR code of an address, always dark on light, and a button to save it. */
export function QrPicture({ address }: { readonly address: string }) {
  const { path, size } = useMemo(() => {
    const rows = qrCode(address)
    const squares = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])))
    return { path: squares.join(''), size: rows.length }
  }, [address])
  const box = `${-margin} ${-margin} ${size + 2 * margin} ${size + 2 * margin}`
  const file = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="600" height="600" shape-rendering="crispEdges"><path fill="#fff" d="M${-margin} ${-margin}h${size + 2 * margin}v${size + 2 * margin}H${-margin}z"/><path d="${path}"/></svg>`
  return (
    <>
      <svg
        role="img"
        aria-label={strings.share.codeOf(address)}
        viewBox={box}
        width={160}
        height={160}
        shapeRendering="crispEdges"
        style={{ background: '#fff', borderRadius: 8 }}
      >
        <path d={path} fill="#000" />
      </svg>
      <Button
        component="a"
        variant="default"
        size="xs"
        href={`data:image/svg+xml,${encodeURIComponent(file)}`}
        download="qr-code.svg"
      >
        {strings.share.save}
      </Button>
    </>
  )
}
