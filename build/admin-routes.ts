import type { RouteGroup } from '../src/doors/admin/routing/route.ts'

const begin = '<!-- The next table is generated from src/doors/admin/routes. -->'
const end = '<!-- End of the generated table. -->'

/** Puts the table of the admin plane's routes into the page that has a place for it. */
export function withRoutesTable(page: string, groups: readonly RouteGroup[]): string {
  const start = page.indexOf(begin)
  const stop = page.indexOf(end)
  if (start === -1 || stop === -1) throw new Error('The page has no place for the table of routes')
  return `${page.slice(0, start + begin.length)}\n\n${routesTable(groups)}\n\n${page.slice(stop)}`
}

function routesTable(groups: readonly RouteGroup[]): string {
  const rows = groups.flatMap(({ routes }) =>
    routes.map(({ method, path, about }) => [`\`${method} ${path.slice(1)}\``, about] as const),
  )
  const all = [['route', 'what it does'] as const, ...rows]
  const widths = [0, 1].map(column => Math.max(...all.map(row => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = all
  return [line(head), line(widths.map(width => '-'.repeat(width))), ...body.map(line)].join('\n')
}
