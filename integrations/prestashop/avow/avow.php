<?php
/**
 * Avow for PrestaShop: the widget of the consent service that you host, in the head of every page.
 *
 * @author    The Avow authors
 * @license   https://www.apache.org/licenses/LICENSE-2.0 Apache-2.0
 */

if (!defined('_PS_VERSION_')) {
    exit;
}

class Avow extends Module
{
    private const COOKIE_BYTES_MAX = 8192;
    private const LIFETIME_S = 180 * 86400;

    public function __construct()
    {
        $this->name = 'avow';
        $this->tab = 'administration';
        $this->version = '0.2.0';
        $this->author = 'The Avow authors';
        $this->need_instance = 0;
        $this->bootstrap = true;
        $this->ps_versions_compliancy = ['min' => '1.7.7.0', 'max' => '9.99.99'];
        parent::__construct();
        $this->displayName = $this->trans('Avow', [], 'Modules.Avow.Admin');
        $this->description = $this->trans('Asks visitors for consent with the Avow service that you host.', [], 'Modules.Avow.Admin');
    }

    public function install()
    {
        if (!parent::install() || !$this->registerHook('displayHeader')) {
            return false;
        }
        // First among the modules of the head, so that no tag of another one runs before it. False if it is already.
        $this->updatePosition((int) Hook::getIdByName('displayHeader'), false, 1);

        return true;
    }

    public function uninstall()
    {
        return Configuration::deleteByName('AVOW_SERVICE')
            && Configuration::deleteByName('AVOW_PROJECT')
            && Configuration::deleteByName('AVOW_BLOCKING')
            && parent::uninstall();
    }

    public function isUsingNewTranslationSystem()
    {
        return true;
    }

    /** The settings screen. PrestaShop checks the employee's rights and the token of the form. */
    public function getContent()
    {
        if (!Tools::isSubmit('submitAvow')) {
            return $this->renderForm();
        }
        $service = rtrim(preg_replace('#/widget\.js$#', '', trim((string) Tools::getValue('AVOW_SERVICE'))), '/');
        $project = trim((string) Tools::getValue('AVOW_PROJECT'));
        if (!self::isAddress($service)) {
            return $this->displayError($this->trans('The address of the service must start with https://, such as https://consent.example.', [], 'Modules.Avow.Admin')) . $this->renderForm();
        }
        if (!preg_match('/^[A-Za-z0-9_-]{1,64}$/D', $project)) {
            return $this->displayError($this->trans('The project identifier consists of letters and digits. Copy it from the snippet in Avow, after data-project.', [], 'Modules.Avow.Admin')) . $this->renderForm();
        }
        Configuration::updateValue('AVOW_SERVICE', $service);
        Configuration::updateValue('AVOW_PROJECT', $project);
        Configuration::updateValue('AVOW_BLOCKING', (int) (bool) Tools::getValue('AVOW_BLOCKING'));

        return $this->displayConfirmation($this->trans('Settings saved.', [], 'Modules.Avow.Admin')) . $this->renderForm();
    }

    /** The scripts for the head of every page; empty before the module is configured. */
    public function hookDisplayHeader()
    {
        $service = (string) Configuration::get('AVOW_SERVICE');
        $project = (string) Configuration::get('AVOW_PROJECT');
        if ($service === '' || $project === '') {
            return '';
        }
        $file = self::escape("$service/cdn/$project");
        $html = '';
        if (Configuration::get('AVOW_BLOCKING')) {
            // Keeps Chromium from requesting scripts ahead of the parser, before they can be held.
            $html .= '<meta http-equiv="Content-Security-Policy" content="">' . "\n"
                . "<script src=\"$file.block.js\" data-block=\"auto\"></script>\n";
        }

        return $html
            . "<link rel=\"preload\" as=\"fetch\" crossorigin href=\"$file.json\">\n"
            . sprintf("<script src=\"%s/widget.js\" data-project=\"%s\" async></script>\n", self::escape($service), self::escape($project));
    }

    /**
     * Whether the visitor has accepted a vendor in the last 180 days, for themes and other modules. The visitor can change
     * the cookie: nothing but their own choice may depend on it. The cookie does not say whether a vendor is required, or
     * has changed since the answer.
     */
    public static function hasConsent(string $vendor): bool
    {
        $text = $_COOKIE['axeptio_cookies'] ?? '';
        if (!is_string($text) || strlen($text) > self::COOKIE_BYTES_MAX || !preg_match('/^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$/D', $vendor)) {
            return false;
        }
        $answers = json_decode($text, true, 4);

        return is_array($answers) && !empty($answers['$$completed']) && !self::isExpired($answers['$$date'] ?? null)
            && ($answers[$vendor] ?? null) === true;
    }

    /** Whether an answer is too old. As in the widget, one without a date is not. */
    private static function isExpired($date): bool
    {
        if (empty($date)) {
            return false;
        }
        $time = is_string($date) ? strtotime($date) : false;

        return $time === false || time() - $time > self::LIFETIME_S;
    }

    private static function isAddress(string $address): bool
    {
        return preg_match('#^(https://[A-Za-z0-9.-]+|http://(localhost|127\.0\.0\.1))(:\d{1,5})?(/[A-Za-z0-9._~/-]*)?$#D', $address) === 1;
    }

    private static function escape(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES, 'UTF-8');
    }

    private function renderForm(): string
    {
        $form = new HelperForm();
        $form->module = $this;
        $form->submit_action = 'submitAvow';
        $form->currentIndex = AdminController::$currentIndex . '&configure=' . $this->name;
        $form->token = Tools::getAdminTokenLite('AdminModules');
        $form->default_form_language = (int) Configuration::get('PS_LANG_DEFAULT');
        foreach (['AVOW_SERVICE', 'AVOW_PROJECT', 'AVOW_BLOCKING'] as $name) {
            $form->fields_value[$name] = Tools::getValue($name, Configuration::get($name));
        }
        $switch = [
            ['id' => 'on', 'value' => 1, 'label' => $this->trans('Yes', [], 'Admin.Global')],
            ['id' => 'off', 'value' => 0, 'label' => $this->trans('No', [], 'Admin.Global')],
        ];

        return $form->generateForm([['form' => [
            'legend' => ['title' => $this->trans('Avow', [], 'Modules.Avow.Admin')],
            'input' => [
                ['type' => 'text', 'name' => 'AVOW_SERVICE', 'required' => true, 'label' => $this->trans('Address of the service', [], 'Modules.Avow.Admin'), 'desc' => $this->trans('Where your Avow runs, such as https://consent.example.', [], 'Modules.Avow.Admin')],
                ['type' => 'text', 'name' => 'AVOW_PROJECT', 'required' => true, 'label' => $this->trans('Project identifier', [], 'Modules.Avow.Admin'), 'desc' => $this->trans('In the snippet of the project in Avow, after data-project.', [], 'Modules.Avow.Admin')],
                ['type' => 'switch', 'name' => 'AVOW_BLOCKING', 'is_bool' => true, 'values' => $switch, 'label' => $this->trans('Hold scripts, frames and pictures by the hosts of each vendor', [], 'Modules.Avow.Admin')],
            ],
            'submit' => ['title' => $this->trans('Save', [], 'Admin.Actions')],
        ]]]);
    }
}
