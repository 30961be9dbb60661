import { Box, NavLink, UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useEffect, useId } from 'react'
import { useSession } from '../data/session.js'
import { Icon } from '../ui/icons.js'
import { type PageEntry, pages } from './pages.js'
import classes from './shell.module.css'

type MenuEntry = NonNullable<PageEntry['menu']> & Pick<PageEntry, 'path'>

/** The groups that are open until the user folds them. All groups open would not fit on a laptop's screen. */
const openAtFirst: Readonly<Record<string, boolean>> = { Library: true }

/** The menu of all pages. Groups fold, and the browser remembers which. */
export function Navigation({ pathname }: { readonly pathname: string }) {
  const { may } = useSession()
  const [open, setOpen] = useLocalStorage<Readonly<Record<string, boolean>>>({
    key: 'zoetrope.navigation',
    defaultValue: openAtFirst,
    getInitialValueInEffect: false,
  })
  const entries = pages.flatMap(({ path, menu, needs }): MenuEntry[] =>
    menu && (!needs || may(needs)) ? [{ path, ...menu }] : [],
  )
  const groups = [...new Set(entries.map(({ group }) => group))]
  const current = entries
    .filter(({ path }) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`)))
    .sort((a, b) => b.path.length - a.path.length)[0]
  const currentPath = current?.path
  const currentGroup = current?.group
  useEffect(() => {
    if (currentGroup !== undefined) setOpen((old) => ({ ...old, [currentGroup]: true }))
  }, [currentGroup, setOpen])
  useEffect(() => {
    // Scrolls the navigation to the entry of the current page, because the list may be long.
    if (currentPath) document.querySelector('nav [aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [currentPath])
  return groups.map((group) => (
    <Section
      key={group ?? ''}
      title={group}
      entries={entries.filter((entry) => entry.group === group)}
      current={currentPath}
      isOpen={group === undefined || open[group] === true}
      onToggle={() => group !== undefined && setOpen((old) => ({ ...old, [group]: !old[group] }))}
    />
  ))
}

interface SectionProps {
  /** Without a title, it does not fold. */
  readonly title: string | undefined
  readonly entries: readonly MenuEntry[]
  readonly current: string | undefined
  readonly isOpen: boolean
  onToggle(): void
}

function Section({ title, entries, current, isOpen, onToggle }: SectionProps) {
  const id = useId()
  return (
    <Box component="section" aria-label={title} mb={4}>
      {title && (
        <UnstyledButton
          className={classes.group}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
        >
          {title}
          <Icon name={isOpen ? 'down' : 'right'} size={14} />
        </UnstyledButton>
      )}
      <div id={id} hidden={!isOpen}>
        {entries.map(({ path, label, icon }) => (
          <NavLink
            key={path}
            renderRoot={(props) => <Link to={path} {...props} />}
            label={label}
            leftSection={<Icon name={icon} />}
            active={path === current}
            aria-current={path === current ? 'page' : undefined}
            className={classes.entry}
          />
        ))}
      </div>
    </Box>
  )
}
