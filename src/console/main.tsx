/** Starts the console. */
import { render } from 'preact';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/layout.css';
import './styles/form.css';
import './styles/table.css';
import './styles/answer.css';
import './styles/figures.css';
import './styles/what-if.css';
import './styles/start.css';
import './styles/plan.css';

const place = document.getElementById('console');
if (place) render(<App />, place);
