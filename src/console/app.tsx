/** The page: the list of questions at the left, the chosen one beside it. */
import { useEffect, useState } from 'preact/hooks';
import { type Catalogue, loadCatalogue, type Question, titleOf } from './api/openapi.ts';
import { serviceUrl } from './api/service-url.ts';
import { keyStorage } from './api/solve.ts';
import { Start } from './start/start.tsx';
import { Workbench } from './workbench.tsx';

const chosenName = (): string => decodeURIComponent(location.hash.replace(/^#\/?/, ''));

/** The question named in the address, which is what a bookmark keeps. */
function useChosenName(): string {
  const [name, setName] = useState(chosenName);
  useEffect(() => {
    const follow = (): void => setName(chosenName());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return name;
}

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const themeStorage = 'crawl-optimizer-theme';

/** The theme chosen here, or the system's. */
function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(
    () => themes.find((each) => each === localStorage.getItem(themeStorage)) ?? 'system',
  );
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(themeStorage, theme);
    // Figures drawn on a canvas have their colours in them: they are drawn again.
    dispatchEvent(new Event('themechange'));
  }, [theme]);
  return [theme, () => setTheme(themes[(themes.indexOf(theme) + 1) % themes.length])];
}

function Navigation({ catalogue, chosen }: { catalogue: Catalogue; chosen: Question | undefined }) {
  return (
    <nav aria-label="Questions">
      {catalogue.groups.map(({ tag, title, questions }) => (
        <section key={tag}>
          <h2>{title}</h2>
          <ul>
            {questions.map((question) => (
              <li key={question.name}>
                <a
                  href={`#/${question.name}`}
                  title={question.summary}
                  aria-current={question.name === chosen?.name ? 'page' : undefined}
                >
                  {titleOf(question)}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function KeyField() {
  const [key, setKey] = useState(() => sessionStorage.getItem(keyStorage) ?? '');
  return (
    <form class="key" onSubmit={(event) => event.preventDefault()}>
      <label>
        API key, if the service asks for one
        <input
          type="password"
          autocomplete="off"
          value={key}
          onInput={({ currentTarget }) => {
            setKey(currentTarget.value);
            sessionStorage.setItem(keyStorage, currentTarget.value);
          }}
        />
      </label>
    </form>
  );
}

export function App() {
  const [catalogue, setCatalogue] = useState<Catalogue>();
  const [failure, setFailure] = useState<string>();
  const name = useChosenName();
  const [theme, nextTheme] = useTheme();
  useEffect(() => {
    loadCatalogue().then(setCatalogue, (error: unknown) => setFailure(String(error)));
  }, []);
  const questions = catalogue?.groups.flatMap((group) => group.questions) ?? [];
  const chosen = questions.find((question) => question.name === name);
  useEffect(() => {
    document.title = chosen ? `${chosen.name} · crawl-optimizer` : 'crawl-optimizer';
  }, [chosen?.name]);
  return (
    <div class="page">
      <header class="side">
        <a class="brand" href="#/">
          <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
            <rect width="32" height="32" rx="7" class="brand-ground" />
            <path d="M6 23c5 0 6-12 10-12s5 12 10 12" class="brand-curve" />
            <circle cx="16" cy="11" r="3.1" class="brand-dot" />
          </svg>
          crawl-optimizer
        </a>
        {catalogue ? <Navigation catalogue={catalogue} chosen={chosen} /> : null}
        <footer>
          <KeyField />
          <div class="links">
            <a href={serviceUrl('docs')}>API documentation</a>
            <button type="button" class="quiet" onClick={nextTheme} aria-label={`theme: ${theme}; change it`}>
              {theme === 'dark' ? '☾' : theme === 'light' ? '☀' : '◐'} {theme}
            </button>
          </div>
          {catalogue ? <p class="version">version {catalogue.version}</p> : null}
        </footer>
      </header>
      {failure ? <main class="failure">The service cannot be reached: {failure}</main> : null}
      {chosen ? <Workbench key={chosen.name} question={chosen} /> : null}
      {catalogue && !chosen ? <Start catalogue={catalogue} unknown={name} /> : null}
    </div>
  );
}
