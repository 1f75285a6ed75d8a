/** Every control of every figure, part 1 of 4: what is said, drawn, tabled, linked and read out is of one state. */
import { after } from 'node:test';
import { openBrowser } from '../helpers/browser.js';
import { driveParts } from '../helpers/driving.js';

driveParts(openBrowser(after), 0, 4);
