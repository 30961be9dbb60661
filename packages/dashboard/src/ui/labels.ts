const spelled: Readonly<Record<string, string>> = {
  id: 'ID',
  url: 'URL',
  pin: 'PIN',
  mrss: 'MRSS',
  youtube: 'YouTube',
  hls: 'HLS',
  mp4: 'MP4',
  webm: 'WebM',
  ip: 'IP',
  dma: 'DMA',
  zip: 'ZIP',
  pg: 'PG',
}

/** Ratings of films and of television. */
const rating = /^(tv|pg|nc)-/

/** The display name of a field: enable_at → Enable at, source_url → Source URL. */
export function labelOf(name: string): string {
  if (rating.test(name)) return name.replaceAll('_', '-').toUpperCase()
  const words = name
    .replace(/^_/, '')
    .split('_')
    .map((word) => spelled[word] ?? word)
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
