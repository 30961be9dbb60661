import { Anchor, Button, Group, Skeleton, Stack, TextInput } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Copyable } from '../../ui/copyable.js'
import type { PlayerHandle } from './player.js'
import { startingAt } from './share-address.js'
import { strings } from './strings.js'
import { readTimecode, timecode } from './timecode.js'
import { usePlayhead } from './use-playhead.js'

const QrPicture = lazy(async () => ({ default: (await import('./qr-picture.js')).QrPicture }))

interface ShareProps {
  readonly address: string
  readonly player: PlayerHandle
}

/** The address of the share page, from any second of the film, as text and as a QR code. */
export function Share({ address, player }: ShareProps) {
  const [start, setStart] = useState('')
  const milliseconds = start.trim() === '' ? 0 : readTimecode(start)
  const link = startingAt(address, (milliseconds ?? 0) / 1000)
  return (
    <Group align="start" wrap="wrap" gap="xl">
      <Stack flex="1 1 18rem" miw={0}>
        <Copyable label={strings.share.link} text={link} />
        <TextInput
          label={strings.share.start}
          description={strings.share.startAbout}
          error={milliseconds === undefined && strings.share.noTime}
          maw="16rem"
          inputMode="decimal"
          value={start}
          onChange={({ currentTarget }) => setStart(currentTarget.value)}
        />
        <NowButton player={player} onUse={setStart} />
      </Stack>
      <Stack gap="xs" align="start">
        <Suspense fallback={<Skeleton width={160} height={160} />}>
          <QrPicture address={link} />
        </Suspense>
        <Anchor href={link} target="_blank" rel="noreferrer" size="sm">
          {strings.share.open}
        </Anchor>
      </Stack>
    </Group>
  )
}

interface NowButtonProps {
  readonly player: PlayerHandle
  onUse(time: string): void
}

/** A component of its own, because it is drawn again while the film plays. */
function NowButton({ player, onUse }: NowButtonProps) {
  const second = Math.floor(usePlayhead(player) / 1000)
  const time = timecode(second * 1000)
  return (
    <div>
      <Button variant="default" disabled={second === 0} onClick={() => onUse(time)}>
        {strings.share.now(time)}
      </Button>
    </div>
  )
}
