export interface ListedScenario {
  readonly name: string
  readonly title: string
  readonly description: string | null
}

/** The scenarios that have every word of a search. */
export function findScenarios(all: readonly ListedScenario[], search: string): readonly ListedScenario[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return all.filter(({ name, title, description }) => {
    const text = `${name} ${title} ${description ?? ''}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
}
