import { ListPage } from '../../ui/record-pages/list-page.js'
import { plans } from './kind.js'

export const Page = () => <ListPage kind={plans} />
