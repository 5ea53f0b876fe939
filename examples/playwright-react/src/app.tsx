import { AddPet } from './add-pet.tsx'
import { useCountdown } from './pause.ts'
import { PauseScreen } from './pause-screen.tsx'
import { PetList } from './pet-list.tsx'
import { type PetService, statuses } from './pet-service.ts'
import { QuotaMeter } from './quota-meter.tsx'
import { usePets } from './use-pets.ts'

export function App({ service }: { readonly service: PetService }) {
  const { view, page, quota, isLoading, pause, mistake, look, retry, add } = usePets(service)
  const secondsLeft = useCountdown(pause)
  const isResting = pause !== undefined || isLoading
  const { status, trail } = view
  const next = page?.next

  return (
    <>
      <header>
        <h1>Pets for adoption</h1>
        <QuotaMeter quota={quota} />
      </header>
      <main>
        <section aria-label="Pets" aria-busy={isLoading}>
          <nav className="filter" aria-label="Status">
            {[undefined, ...statuses].map(choice => (
              <button
                key={choice ?? 'all'}
                type="button"
                aria-pressed={choice === status}
                disabled={isResting}
                onClick={() => look({ status: choice, trail: [] })}
              >
                {choice ?? 'all'}
              </button>
            ))}
          </nav>
          {pause !== undefined ? (
            <PauseScreen pause={pause} secondsLeft={secondsLeft} onRetry={retry} />
          ) : mistake !== undefined ? (
            <p role="alert">{mistake}</p>
          ) : (
            page && <PetList pets={page.pets} />
          )}
          <nav className="pager" aria-label="Pages">
            <button
              type="button"
              disabled={isResting || trail.length === 0}
              onClick={() => look({ status, trail: trail.slice(0, -1) })}
            >
              ← Previous
            </button>
            <span>Page {trail.length + 1}</span>
            <button
              type="button"
              disabled={isResting || next === undefined}
              onClick={() => next && look({ status, trail: [...trail, next] })}
            >
              Next →
            </button>
          </nav>
        </section>
        <AddPet onAdd={add} secondsLeft={secondsLeft} />
      </main>
    </>
  )
}
