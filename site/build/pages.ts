import { readFileSync } from 'node:fs'

/** The pages of the site in their groups, as llms.txt lists them. */
export function readPages(root: string) {
  const text = readFileSync(`${root}llms.txt`, 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map(section => {
      const [title = ''] = section.split('\n')
      const items = [...section.matchAll(/^- \[([^\]]+)\]\(docs\/([\w-]+)\.md\)/gm)]
      return {
        text: title,
        items: items.map(([, text = '', page = '']) => ({ text, link: `/docs/${page}` })),
      }
    })
    .filter(({ items }) => items.length > 0)
}
