import { useState } from 'react'
import type { Video } from '../data/records.js'
import { Icon } from './icons.js'
import { clock } from './numbers.js'
import classes from './poster.module.css'

interface PosterProps {
  readonly video: Pick<Video, 'thumbnails' | 'duration' | 'title'>
  /** The width on the page in pixels. */
  readonly width?: number
}

/** The smallest picture that is sharp at this width. */
function pictureOf({ thumbnails }: PosterProps['video'], width: number): string | undefined {
  const bySize = [...thumbnails].sort((a, b) => (a.width ?? 0) - (b.width ?? 0))
  return (bySize.find((picture) => (picture.width ?? 0) >= width) ?? bySize.at(-1))?.url
}

/** The poster of a video, or a placeholder. Its `alt` is empty, because the title is next to it. */
export function Poster({ video, width = 320 }: PosterProps) {
  const [broken, setBroken] = useState<string>()
  const src = pictureOf(video, width)
  return (
    <span className={classes.poster}>
      {src && src !== broken ? (
        <img src={src} alt="" loading="lazy" decoding="async" onError={() => setBroken(src)} />
      ) : (
        <span className={classes.none}>
          <Icon name="video" size={28} />
        </span>
      )}
      {video.duration !== null && <span className={classes.duration}>{clock(video.duration)}</span>}
    </span>
  )
}
