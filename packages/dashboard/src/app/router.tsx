import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Broken, NotFound } from './failures.js'
import { Frame } from './frame.js'
import { OpeningPage } from './opening.js'
import { type PageEntry, pages } from './pages.js'
import { Shell } from './shell.js'

/** The addresses of the dashboard, from the table of pages. Those for publishers lie inside the shell. */
export function createPageRouter() {
  const root = createRootRoute({ notFoundComponent: NotFound })
  const inside = createRoute({
    getParentRoute: () => root,
    id: 'inside',
    component: () => (
      <Frame>
        <Shell />
      </Frame>
    ),
  })
  const routeOf = (parent: typeof root | typeof inside, { path, load }: PageEntry) =>
    createRoute({
      getParentRoute: () => parent as typeof root,
      path,
      component: lazyRouteComponent(load, 'Page'),
    })
  const routeTree = root.addChildren([
    inside.addChildren(pages.filter(({ isPublic }) => !isPublic).map((page) => routeOf(inside, page))),
    ...pages.filter(({ isPublic }) => isPublic).map((page) => routeOf(root, page)),
  ])
  return createRouter({
    routeTree,
    basepath: '/dashboard',
    defaultPreload: 'intent',
    defaultPendingComponent: OpeningPage,
    defaultPendingMs: 100,
    defaultErrorComponent: Broken,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  })
}
