import { ActionIcon, Alert, AppShell, Box, Burger, Button, Group, Text } from '@mantine/core'
import { useDisclosure, useHotkeys, useNetwork } from '@mantine/hooks'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { endedSession, useEndedSession } from '../data/ended-session.js'
import { useSession } from '../data/session.js'
import { isUnderWay, shareSent, useUploads } from '../data/upload-list.js'
import { Icon } from '../ui/icons.js'
import { focusNotice, leavePage, noticeKey } from '../ui/notices.js'
import { SkipButton } from '../ui/skip-button.js'
import { AccountMenu, ChannelMenu } from './late-menus.js'
import { Logo } from './logo.js'
import { Navigation } from './navigation.js'
import { PaletteButton } from './palette-button.js'
import classes from './shell.module.css'
import { Shortcuts } from './shortcuts/shortcuts.js'
import { strings } from './strings.js'

const CatchDrops = lazy(async () => ({ default: (await import('./catch-drops.js')).CatchDrops }))

/** The frame of every page: navigation, channel menu and account menu. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const pathname = useLocation({ select: (location) => location.pathname })
  const { may } = useSession()
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone, the navigation gives way to each page it leads to
  useEffect(close, [pathname])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is that of the page that is left
  useEffect(() => leavePage, [pathname])
  useHotkeys([[noticeKey, focusNotice]], [])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <SkipButton label={strings.skip} to="page" />
      <Shortcuts />
      <Suspense>
        <CatchDrops />
      </Suspense>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-expanded={isOpen}
            aria-label={isOpen ? strings.closeMenu : strings.openMenu}
          />
          <Link to="/" className={classes.brand} aria-label={strings.product}>
            <Logo />
            <Text component="span" fw={650} size="lg" visibleFrom="sm">
              {strings.product}
            </Text>
          </Link>
          <ChannelMenu />
          <Box flex={1} />
          <PaletteButton />
          {may(['uploads', 'create']) && <UploadButton />}
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={strings.navigation} className={classes.navbar}>
        <Box p="xs" flex={1} className={classes.scrolling}>
          <Navigation pathname={pathname} />
        </Box>
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} className={classes.main}>
        <OfflineNotice />
        <EndedNotice />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  )
}

function UploadButton() {
  const underWay = useUploads().filter(isUnderWay)
  const label =
    underWay.length > 0 ? strings.uploading(Math.floor(shareSent(underWay) * 100)) : strings.upload
  const toUpload = (props: object) => <Link to="/upload" {...props} />
  return (
    <>
      <Button renderRoot={toUpload} leftSection={<Icon name="upload" />} size="sm" visibleFrom="sm">
        {label}
      </Button>
      <ActionIcon renderRoot={toUpload} variant="filled" size={36} aria-label={label} hiddenFrom="sm">
        <Icon name="upload" />
      </ActionIcon>
    </>
  )
}

function OfflineNotice() {
  const { online } = useNetwork()
  if (online) return null
  return (
    <Alert
      color="yellow"
      variant="light"
      mb="md"
      role="status"
      icon={<Icon name="offline" />}
      className={classes.offline}
    >
      {strings.offline}
    </Alert>
  )
}

/** Shown after the user postpones signing in again. It stays visible, away from the save and discard buttons. */
function EndedNotice() {
  if (useEndedSession() !== 'put off') return null
  return (
    <Group role="status" gap="sm" px="sm" py="xs" mb="md" className={classes.ended}>
      <Text size="sm">{strings.ended}</Text>
      <Button size="xs" onClick={() => endedSession.ask(true)}>
        {strings.signIn}
      </Button>
    </Group>
  )
}
