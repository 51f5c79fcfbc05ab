/** Starts the console. */
import { render } from 'preact';
import { App } from './app.tsx';
import '@picocss/pico/css/pico.classless.min.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/parts.css';

const place = document.getElementById('console');
if (place) render(<App />, place);
