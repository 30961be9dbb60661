import { Badge } from '@mantine/core'
import { badgeOf } from './video-badge.js'
import classes from './video-status.module.css'

/** Shows whether viewers see a video, or what prevents it. */
export function VideoStatus({ video }: { readonly video: Parameters<typeof badgeOf>[0] }) {
  const { words, tone } = badgeOf(video)
  return (
    <Badge className={classes[tone]} variant="default" tt="none" fw={500}>
      {words}
    </Badge>
  )
}
