import { useEffect, useState } from 'preact/hooks'

/** Rows have two lines where the page is narrow. The stylesheet changes at the same width. */
const narrow = '(max-width: 760px)'

/** Pixels. */
export function useRowHeight(): number {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrow).matches)
  useEffect(() => {
    const query = matchMedia(narrow)
    const read = () => setNarrow(query.matches)
    query.addEventListener('change', read)
    return () => query.removeEventListener('change', read)
  }, [])
  return isNarrow ? 50 : 30
}
