import { defineSearch } from '../../../ui/define-search.js'

/** The page of a new subtitle. */
export const newSubtitleSearch = defineSearch<{ language: string }>()
