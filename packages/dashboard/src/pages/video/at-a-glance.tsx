import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Video } from '../../data/records.js'
import { Poster } from '../../ui/poster.js'
import { whoCanWatch } from './access-ways.js'
import { strings } from './strings.js'
import { tabSearch } from './tab-props.js'
import classes from './video.module.css'

interface TabLinkProps {
  readonly tab: string
  readonly label: string
}

const TabLink = ({ tab, label }: TabLinkProps) => (
  <Anchor component={Link} to="." search={tabSearch.to({ tab })} replace resetScroll={false} size="sm">
    {label}
  </Anchor>
)

/** What most people look for next, and where to change it: the poster, and who can watch. */
export const AtAGlance = ({ video }: { readonly video: Video }) => (
  <div className={classes.glance}>
    <div>
      <div className={classes.thumbnail}>
        <Poster video={video} width={224} />
      </div>
      <div>
        <Text size="sm" fw={500}>
          {strings.glance.poster}
        </Text>
        <TabLink tab="poster" label={strings.glance.changePoster} />
      </div>
    </div>
    <div>
      <div>
        <Text size="sm" fw={500}>
          {strings.glance.access}
        </Text>
        <Text size="sm">{whoCanWatch(video)}</Text>
        <TabLink tab="access" label={strings.glance.changeAccess} />
      </div>
    </div>
  </div>
)
