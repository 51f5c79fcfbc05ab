/** The page: the list of questions at the left, the chosen one beside it. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { planOperation } from '../logs/plan-request.ts';
import { KeyField } from './answer/refusal.tsx';
import type { JsonObject } from './api/json.ts';
import { publishedDocument, serviceUrl } from './api/service.ts';
import { type Catalogue, catalogueFromOpenApi, type Question } from './contract/catalogue.ts';
import { LogPreview } from './open/log-preview.tsx';
import { useDropAndPaste } from './open/open-file.tsx';
import { recogniseText } from './open/recognise.ts';
import { RequestStore } from './request-store.ts';
import { StartPage } from './start/start-page.tsx';
import { Workbench } from './workbench.tsx';

/** Moves the keyboard focus past the menu and the request. */
function skipToMain(): void {
  const main = document.querySelector('main');
  if (main === null) return;
  main.tabIndex = -1;
  main.focus();
}

/** The name of a question in the fragment of the address. */
const operationOfHash = (hash: string): string => {
  const name = hash.replace(/^#\/?/, '').replace(/\?.*$/, '');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

/** The question named in the address. */
function useAddressed(): string {
  const [name, setName] = useState(() => operationOfHash(location.hash));
  useEffect(() => {
    const follow = (): void => setName(operationOfHash(location.hash));
    addEventListener('hashchange', follow);
    // The address may have changed between the first drawing and this listener.
    follow();
    return () => removeEventListener('hashchange', follow);
  }, []);
  return name;
}

/** The last dropped, pasted or opened text, and the number of requests opened from such texts. */
interface Intake {
  readonly log?: { readonly name: string; readonly text: string };
  readonly refusal?: string;
  readonly openCount: number;
}

interface NavigationProps {
  readonly catalogue: Catalogue;
  readonly currentQuestion: Question | undefined;
  /** On a narrow screen the menu is folded away until it is asked for. */
  readonly open: boolean;
}

function Navigation({ catalogue, currentQuestion, open }: NavigationProps) {
  return (
    <nav aria-label="Questions" id="questions" data-open={open}>
      {catalogue.groups.map(({ tag, title, questions }) => (
        <section key={tag}>
          <h2>{title}</h2>
          <ul>
            {questions.map((question) => (
              <li key={question.name}>
                <a
                  href={`#/${question.name}`}
                  title={question.summary}
                  aria-current={question.name === currentQuestion?.name ? 'page' : undefined}
                >
                  {question.title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

export function App() {
  const [catalogue, setCatalogue] = useState<Catalogue>();
  const [failure, setFailure] = useState<string>();
  const store = useMemo(() => new RequestStore(localStorage), []);
  const name = useAddressed();
  const [intake, setIntake] = useState<Intake>({ openCount: 0 });
  const [menu, setMenu] = useState(false);
  useEffect(() => setMenu(false), [name]);
  useEffect(() => {
    publishedDocument().then(
      (document) => setCatalogue(catalogueFromOpenApi(document)),
      (error: unknown) => setFailure(String(error)),
    );
  }, []);
  const questions = catalogue?.groups.flatMap((group) => group.questions) ?? [];
  const currentQuestion = questions.find((question) => question.name === name);
  useEffect(() => {
    document.title = currentQuestion ? `${currentQuestion.name} · crawl-optimizer` : 'crawl-optimizer';
  }, [currentQuestion?.name]);
  const open = (operation: string, request: JsonObject): void => {
    store.set(operation, request);
    location.hash = `#/${operation}`;
    setIntake(({ openCount }) => ({ openCount: openCount + 1 }));
  };
  const take = (text: string, file: string): void => {
    const recognition = recogniseText(text, questions, name);
    if (recognition.kind === 'request') open(recognition.operation, recognition.request);
    else if (recognition.kind === 'log')
      setIntake(({ openCount }) => ({ log: { name: file, text: recognition.text }, openCount }));
    else
      setIntake(({ openCount }) => ({
        refusal: `${file} was not opened. ${recognition.reason}`,
        openCount,
      }));
  };
  const isDragOver = useDropAndPaste(take);
  return (
    <div class={`page${isDragOver ? ' over' : ''}`}>
      <button type="button" class="skip" onClick={skipToMain}>
        Skip to the answer
      </button>
      {intake.refusal === undefined ? null : (
        <p class="toast" role="alert">
          {intake.refusal} Nothing has changed.{' '}
          <button type="button" class="quiet" onClick={() => setIntake(({ openCount }) => ({ openCount }))}>
            dismiss
          </button>
        </p>
      )}
      {intake.log ? (
        <LogPreview
          {...intake.log}
          onRequest={(request) => open(planOperation, request)}
          onClose={() => setIntake(({ openCount }) => ({ openCount }))}
        />
      ) : null}
      <header class="side">
        <a class="brand" href="#/">
          <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
            <rect width="32" height="32" rx="7" class="brand-ground" />
            <path d="M6 23c5 0 6-12 10-12s5 12 10 12" class="brand-curve" />
            <circle cx="16" cy="11" r="3.1" class="brand-dot" />
          </svg>
          crawl-optimizer
        </a>
        <button
          type="button"
          class="menu"
          aria-expanded={menu}
          aria-controls="questions"
          onClick={() => setMenu((isOpen) => !isOpen)}
        >
          {currentQuestion ? currentQuestion.title : 'Questions'} ▾
        </button>
        {catalogue ? <Navigation catalogue={catalogue} currentQuestion={currentQuestion} open={menu} /> : null}
        <div class="foot" data-open={menu}>
          <KeyField label="API key, if the service asks for one" />
          <div class="links">
            <a href={serviceUrl('docs')}>API documentation</a>
          </div>
          {catalogue ? <p class="version">version {catalogue.version}</p> : null}
        </div>
      </header>
      {failure ? <main class="failure">The service cannot be reached: {failure}</main> : null}
      {currentQuestion ? (
        <Workbench
          key={`${currentQuestion.name} ${intake.openCount}`}
          question={currentQuestion}
          store={store}
          onText={take}
        />
      ) : null}
      {catalogue && !currentQuestion ? (
        <StartPage
          catalogue={catalogue}
          logQuestion={questions.find((each) => each.name === planOperation)}
          unknownName={name}
          onText={take}
        />
      ) : null}
    </div>
  );
}
